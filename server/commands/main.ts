import { join } from 'node:path'
import { useLauncher } from '../kernel/launcher/launch'
import type { CommandName } from './command'

// The process of one command: its name, then its arguments. Without a launcher it starts git itself.
await useLauncher(join(process.cwd(), 'dist/launcher.js')).catch(() => undefined)
const { runCommand } = await import('./command')
const [name, ...args] = process.argv.slice(2)
const { code, output, errors } = await runCommand(name as CommandName, args, process.env)
process.stdout.write(output)
process.stderr.write(errors)
process.exitCode = code
