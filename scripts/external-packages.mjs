// These import JSON in a way that Node refuses, but bundlers accept.
const bundled = /^@actions\//

/** For esbuild: packages are loaded from node_modules, except those that only work bundled. */
export const externalPackages = {
  name: 'external packages',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
      if (kind === 'entry-point' || path.startsWith('@/') || bundled.test(path)) return undefined
      // Its node build is CommonJS, which could not be part of a module.
      if (importer.includes('/node_modules/') && path !== 'yaml') return undefined
      return { path, external: true }
    })
  },
}
