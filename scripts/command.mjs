import { access } from 'node:fs/promises'
import { buildServer } from './build.mjs'

const [name, ...args] = process.argv.slice(2)
await access(new URL(`../dist/${name}.js`, import.meta.url)).catch(buildServer)
process.argv.splice(2, process.argv.length, ...args)
await import(`../dist/${name}.js`)
