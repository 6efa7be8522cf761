import { buildServer } from './build.mjs'

const [name, ...args] = process.argv.slice(2)
await buildServer()
process.argv.splice(2, process.argv.length, ...args)
await import(`../dist/${name}.js`)
