import { ConfigError } from './kernel/config-error'

/** The variables that say where to listen, and what else may be done about the port. */
interface Names {
  host: string
  port: string
  or?: string
}

/**
 * Begins to listen.
 * @throws {ConfigError} naming the variable, where the address or the port cannot be had.
 */
export async function listenAt<T>({ host, port, or = '' }: Names, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen()
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) throw error
    const { code, message } = error
    if (code === 'EADDRINUSE')
      throw new ConfigError(`${port}: another program listens there already; choose another one${or}`)
    if (code === 'EACCES') throw new ConfigError(`${port}: ${message}; choose one above 1023${or}`)
    throw new ConfigError(`${host}: cannot listen there: ${message}`)
  }
}
