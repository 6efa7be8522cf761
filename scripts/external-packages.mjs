// These packages import JSON without an import attribute, which bundlers accept but Node.js rejects.
const bundled = /^@actions\//

/**
 * An esbuild plugin that excludes packages from the bundle, so that Node.js loads them from `node_modules`.
 * Packages that work only if they are bundled are included.
 */
export const externalPackages = {
  name: 'external packages',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
      if (kind === 'entry-point' || path.startsWith('@/') || bundled.test(path)) return undefined
      // The Node.js build of `yaml` is CommonJS, which cannot be bundled into an ES module.
      if (importer.includes('/node_modules/') && path !== 'yaml') return undefined
      return { path, external: true }
    })
  },
}
