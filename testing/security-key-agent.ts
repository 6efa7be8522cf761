import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'

/** A software authenticator that is accessible through an SSH agent. */
export interface SecurityKeyAgent {
  socket: string
  /** The public key as a line of OpenSSH format. */
  publicKey: string
  /** Sets whether a user touches the authenticator during later signatures. */
  touch(touched: boolean): void
  close(): void
}

const messages = { identities: 11, identitiesAnswer: 12, signRequest: 13, signResponse: 14, failure: 5 }
const application = 'ssh:'

/**
 * Starts an SSH agent with one security key of this type. Its signatures have the format of OpenSSH's
 * PROTOCOL.u2f.
 */
export async function startSecurityKeyAgent(
  directory: string,
  kind: 'sk-ssh-ed25519@openssh.com' | 'sk-ecdsa-sha2-nistp256@openssh.com',
): Promise<SecurityKeyAgent> {
  const { blob, privateKey } = kind.startsWith('sk-ssh') ? ed25519Key(kind) : ecdsaKey(kind)
  let isTouched = true
  let counter = 0

  const signed = (data: Buffer): Buffer => {
    const flagsAndCounter = Buffer.concat([Buffer.of(isTouched ? 1 : 0), uint32(++counter)])
    const toSign = Buffer.concat([sha256(Buffer.from(application)), flagsAndCounter, sha256(data)])
    const bare = kind.startsWith('sk-ssh')
      ? sign(null, toSign, privateKey)
      : integers(sign('sha256', toSign, { key: privateKey, dsaEncoding: 'ieee-p1363' }))
    return Buffer.concat([field(kind), field(bare), flagsAndCounter])
  }
  const answer = (request: Buffer): Buffer => {
    if (request[0] === messages.identities) {
      return Buffer.concat([
        Buffer.of(messages.identitiesAnswer),
        uint32(1),
        field(blob),
        field('a security key'),
      ])
    }
    if (request[0] !== messages.signRequest) return Buffer.of(messages.failure)
    const dataAt = 1 + 4 + request.readUInt32BE(1)
    const data = request.subarray(dataAt + 4, dataAt + 4 + request.readUInt32BE(dataAt))
    return Buffer.concat([Buffer.of(messages.signResponse), field(signed(data))])
  }
  const server = createServer(connection => answerAll(connection, answer))
  const socket = join(directory, `agent-${counter}-${Math.random().toString(36).slice(2)}.sock`)
  server.listen(socket)
  await once(server, 'listening')
  return {
    socket,
    publicKey: `${kind} ${blob.toString('base64')}`,
    touch: touched => {
      isTouched = touched
    },
    close: () => void server.close(),
  }
}

function answerAll(connection: Socket, answer: (request: Buffer) => Buffer): void {
  let held: Buffer = Buffer.alloc(0)
  connection.on('error', () => undefined)
  connection.on('data', chunk => {
    held = Buffer.concat([held, chunk])
    while (held.length >= 4 && held.length >= 4 + held.readUInt32BE()) {
      const end = 4 + held.readUInt32BE()
      connection.write(field(answer(held.subarray(4, end))))
      held = held.subarray(end)
    }
  })
}

function ed25519Key(kind: string): { blob: Buffer; privateKey: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const x = Buffer.from(String(publicKey.export({ format: 'jwk' }).x), 'base64url')
  return { blob: Buffer.concat([field(kind), field(x), field(application)]), privateKey }
}

function ecdsaKey(kind: string): { blob: Buffer; privateKey: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([
    Buffer.of(4),
    Buffer.from(String(x), 'base64url'),
    Buffer.from(String(y), 'base64url'),
  ])
  return {
    blob: Buffer.concat([field(kind), field('nistp256'), field(point), field(application)]),
    privateKey,
  }
}

/** Encodes the two halves of an ECDSA signature as SSH integers. */
function integers(signature: Buffer): Buffer {
  const half = signature.length / 2
  return Buffer.concat([integer(signature.subarray(0, half)), integer(signature.subarray(half))])
}

function integer(bytes: Buffer): Buffer {
  const first = bytes.findIndex(byte => byte !== 0)
  const shortest = bytes.subarray(first)
  return field((shortest[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), shortest]) : shortest)
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function field(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([uint32(bytes.length), bytes])
}
