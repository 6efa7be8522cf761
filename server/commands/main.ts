import { runCommand } from './command'

// Entry point of a command's process. The arguments are the command's name and then its own arguments.
const [name = '', ...args] = process.argv.slice(2)
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => stopping.abort(new Error('it was interrupted')))
}
const { code, output, errors } = await runCommand(name, args, process.env, stopping.signal)
process.stdout.write(output)
process.stderr.write(errors)
process.exitCode = code
