import { buildServer } from './build.mjs'

await buildServer()
await import('../dist/command.js')
