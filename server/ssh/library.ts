import type { Connection } from 'ssh2'

/** A channel of the library, or a session that has none yet. */
export interface LibraryChannel {
  incoming?: { window: number }
  outgoing?: { id: number }
  /** Of a session: what it will be a channel with, and the channel once a command runs. */
  _chanInfo?: { outgoing: { id: number } }
  _channel?: LibraryChannel
}

interface OfferedLists {
  kex: { array: string[] }
  serverHostKey: { array: string[] }
  cs: Record<'cipher' | 'mac' | 'compress' | 'lang', { array: string[] }>
}

export interface LibraryOffer {
  lists: OfferedLists
}

export interface LibraryProtocol {
  _handlers: {
    CHANNEL_OPEN(protocol: LibraryProtocol, info: { sender: number; packetSize: number }): void
    CHANNEL_DATA(protocol: LibraryProtocol, recipient: number, data: Buffer): void
    CHANNEL_CLOSE(protocol: LibraryProtocol, recipient: number): void
    USERAUTH_REQUEST(
      protocol: LibraryProtocol,
      user: string,
      service: string,
      method: string,
      data: unknown,
    ): void
  }
  _onHandshakeComplete(...facts: unknown[]): void
  _offer: LibraryOffer
  /** Set while keys are exchanged, when everything else waits in memory. */
  _kexinit: Buffer | undefined
  _kex: { remoteExtInfoEnabled: boolean } | undefined
  _cipher: { encrypt(packet: Buffer): void }
  _packetRW: {
    write: { allocStart: number; alloc(bytes: number): Buffer; finalize(packet: Buffer): Buffer }
  }
  channelClose(id: number): void
  channelOpenFail(sender: number, reason: number, description: string): void
}

/** What we use of the library's own objects, as they are in the version that package.json names. */
export interface Library {
  protocol: LibraryProtocol
  channels: { get(id: number): LibraryChannel | undefined; remove(id: number): void }
}

/**
 * Returns the library's own objects behind a connection that has not signed in yet.
 * @throws {Error} where this version of the library has others.
 */
export function libraryOf(client: Connection): Library {
  const { _protocol: protocol, _chanMgr: channels } = client as unknown as {
    _protocol: LibraryProtocol
    _chanMgr: Library['channels']
  }
  const needed = [
    protocol?._handlers?.CHANNEL_OPEN,
    protocol?._handlers?.CHANNEL_DATA,
    protocol?._handlers?.CHANNEL_CLOSE,
    protocol?._handlers?.USERAUTH_REQUEST,
    protocol?._onHandshakeComplete,
    protocol?._offer?.lists?.serverHostKey,
    protocol?._packetRW?.write?.finalize,
    protocol?.channelClose,
    protocol?.channelOpenFail,
    channels?.get,
    channels?.remove,
  ]
  if (needed.some(member => member === undefined) || !('_kexinit' in protocol)) {
    throw new Error('the SSH library is not of the version that its guards are written for')
  }
  return { protocol, channels }
}
