import { buildServer } from './build.mjs'
import { run } from './run.mjs'

// Next.js reloads changed pages automatically, but the server is compiled only at start. Restart after
// changing it.
await buildServer()
process.exit(
  await run('node', ['--enable-source-maps', 'dist/main.js', '--dev'], { env: { NODE_ENV: 'development' } }),
)
