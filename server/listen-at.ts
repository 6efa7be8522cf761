import { ConfigError } from './kernel/config-error'

/**
 * Names of the settings for the host and port to listen on, and an optional alternative for error messages.
 */
interface Names {
  host: string
  port: string
  or?: string
}

/**
 * Starts to listen.
 * @throws {ConfigError} if the address or port is not available; the message names the setting.
 */
export async function listenAt<T>({ host, port, or = '' }: Names, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen()
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) throw error
    const { code, message } = error
    if (code === 'EADDRINUSE') {
      const number = 'port' in error ? `port ${error.port}` : 'this port'
      throw new ConfigError(
        `${port}: another program is already listening on ${number}; use another port${or}`,
      )
    }
    if (code === 'EACCES') throw new ConfigError(`${port}: ${message}; use a port above 1023${or}`)
    throw new ConfigError(`${host}: cannot listen on this address: ${message}`)
  }
}
