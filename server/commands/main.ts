import { type CommandName, runCommand } from './command'

// The process of one command: its name, then its arguments.
const [name, ...args] = process.argv.slice(2)
const { code, output, errors } = await runCommand(name as CommandName, args, process.env)
process.stdout.write(output)
process.stderr.write(errors)
process.exitCode = code
