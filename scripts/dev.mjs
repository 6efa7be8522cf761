import { buildServer } from './build.mjs'
import { run } from './run.mjs'

// Pages reload by themselves; the server part is compiled at start, so restart after changing it.
await buildServer()
process.exit(
  await run('node', ['--enable-source-maps', 'dist/main.js', '--dev'], { env: { NODE_ENV: 'development' } }),
)
