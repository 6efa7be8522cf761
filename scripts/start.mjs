import { buildIfNeeded } from './build.mjs'

process.env.NODE_ENV ??= 'production'
await buildIfNeeded()
await import('../dist/main.js')
