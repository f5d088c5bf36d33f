import { defineConfig, type Plugin } from 'vite';

// A page that opens from the file system may load nothing: scripts and styles go into the html.
function inline(): Plugin {
  return {
    name: 'inline',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = bundle['index.html'];
      if (page?.type !== 'asset') throw new Error('no index.html in the bundle');
      let html = String(page.source);
      for (const [name, file] of Object.entries(bundle)) {
        if (file === page) continue;
        const tag = file.type === 'chunk'
          ? new RegExp(`<script[^>]*src="[^"]*${name}"[^>]*></script>`)
          : new RegExp(`<link[^>]*href="[^"]*${name}"[^>]*>`);
        if (!tag.test(html)) throw new Error(`nothing in index.html names ${name}`);
        if (file.type === 'chunk') {
          // Module scripts run after the page is read, so the place of the tag does not matter; at
          // the end of the body it stands behind the playback.
          const code = file.code.replace(/<\/script/g, '<\\/script').replace(/<!--/g, '<\\!--');
          html = html.replace(tag, '');
          html = html.replace('</body>', () => `<script type="module">${code}</script>\n</body>`);
        } else {
          const css = String(file.source);
          html = html.replace(tag, () => `<style>${css}</style>`);
        }
        delete bundle[name];
      }
      page.source = html;
    },
  };
}

export default defineConfig({
  plugins: [inline()],
  build: {
    target: 'es2022',
    cssCodeSplit: false,
    modulePreload: false,
    assetsInlineLimit: 1e9,
    chunkSizeWarningLimit: 4000,
  },
});
