import { runCommand } from './command'

// Entry point of a command's process. The arguments are the command's name and then its own arguments.
const [name = '', ...args] = process.argv.slice(2)
const { code, output, errors } = await runCommand(name, args, process.env)
process.stdout.write(output)
process.stderr.write(errors)
process.exitCode = code
