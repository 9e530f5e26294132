// One page, one script, one style sheet, with fixed names: the program has them inside (src/view/bundle.c).
import { defineConfig } from 'vite';

export default defineConfig({
    base: './',
    // `npm run dev` with a viewer at this address: scree view results.h5 --no-open --port 8123
    server: { proxy: { '/api': 'http://127.0.0.1:8123' } },
    build: {
        target: 'es2020',
        emptyOutDir: true,
        modulePreload: false,
        assetsInlineLimit: 0,
        chunkSizeWarningLimit: 2000,
        rollupOptions: {
            output: { entryFileNames: 'app.js', assetFileNames: 'app[extname]', inlineDynamicImports: true },
        },
    },
});
