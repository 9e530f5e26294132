// A force from outside in C++: a steel ball hangs on a spring that the program computes, and swings.
//
//   c++ magnet.cc -o magnet $(pkg-config --cflags --libs scree) && ./magnet
#include <scree/scree.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>

// A report whose errors become exceptions.
class Report
{
  public:
    Report() { scree_report_init(&report); }
    ~Report() { scree_report_deinit(&report); }
    operator scree_report *() { return &report; }
    void check(scree_status status)
    {
        if (status) throw std::runtime_error(report.count ? report.messages[report.count - 1].text : "failed");
    }

  private:
    scree_report report;
};

struct Close {
    void operator()(scree_scene *scene) const { scree_scene_close(scene); }
    void operator()(scree_simulation *sim) const { scree_simulation_destroy(sim); }
};

struct Spring {
    double stiffness, height; // [N/m], [m] where it does not pull
    double crossed = -1;      // when the ball last passed the place where its weight is carried [s]
    double period = 0, last = 0;
};

// F = -k (z - z0), set anew where the ball is now
static scree_status pull(void *context, scree_simulation *sim, scree_report *report)
{
    const Spring &spring = *static_cast<Spring *>(context);
    scree_view place;
    if (scree_status status = scree_simulation_view_find(sim, "position", &place, report)) return status;
    const double *x = static_cast<double *>(place.data);
    const double force[3] = {0, 0, -spring.stiffness * (x[2] - spring.height)};
    return scree_simulation_push_rows(sim, force, nullptr, place.rows, report);
}

// from one passage upwards to the next
static scree_status watch(void *context, scree_simulation *sim, scree_report *report)
{
    Spring &spring = *static_cast<Spring *>(context);
    scree_view speed;
    if (scree_status status = scree_simulation_view_find(sim, "velocity", &speed, report)) return status;
    const double v = static_cast<double *>(speed.data)[2], t = scree_simulation_clock(sim).time;
    if (spring.last < 0 && v >= 0) {
        if (spring.crossed >= 0) spring.period = t - spring.crossed;
        spring.crossed = t;
    }
    spring.last = v;
    return SCREE_OK;
}

int main()
try {
    const std::string text = "scree: 1\n"
                             "domain: {box: [[-1, -1, -1], [1, 1, 1]]}\n"
                             "materials: {steel: {density: 7800, restitution: 0.9, friction: 0.3}}\n"
                             "contacts: {any: {stiffness: 1e5}}\n"
                             "bodies: {ball: {from: positions, material: steel, radius: 1 cm, position: [0, 0, 0]}}\n"
                             "time: {end: 2, step: 1e-4}\n";
    Report report;
    scree_scene *read = nullptr;
    report.check(scree_scene_parse(text.c_str(), "magnet.yaml", nullptr, 0, &read, report));
    std::unique_ptr<scree_scene, Close> scene(read);
    scree_simulation_def def = scree_simulation_def_default();
    def.quiet = true;
    def.threads = 1;
    scree_simulation *made = nullptr;
    report.check(scree_simulation_create(scene.get(), &def, &made, report));
    std::unique_ptr<scree_simulation, Close> sim(made);

    Spring spring{2.0, 0.05};
    scree_step_calls calls{};
    calls.push = pull;
    calls.after = watch;
    calls.context = &spring;
    scree_simulation_on_step(sim.get(), &calls);
    report.check(scree_simulation_advance_until(sim.get(), 2, report));

    const double mass = 7800 * 4.0 / 3 * M_PI * 1e-6, expected = 2 * M_PI * std::sqrt(mass / spring.stiffness);
    std::printf("the ball swings in %.4f s, a spring and a mass in %.4f s\n", spring.period, expected);
    std::printf("energy balance error %.1e J\n", scree_simulation_energies(sim.get()).closure);
    return std::fabs(spring.period - expected) < 2e-4 ? 0 : 1;
} catch (const std::exception &problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
}
