import {
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonValue,
  type MessageShape,
  toBinary,
  toJson,
} from '@bufbuild/protobuf'
import { ProtocolError } from './errors'

export type Format = 'json' | 'binary'

/**
 * Tells in which format a request is sent, and is answered.
 * @throws {ProtocolError} bad_route, as the protocol has it, for another content type.
 */
export function formatOf(contentType: string | null): Format {
  switch (contentType?.split(';', 1)[0]?.trim().toLowerCase()) {
    case 'application/json':
      return 'json'
    case 'application/protobuf':
      return 'binary'
    default:
      throw new ProtocolError(
        'bad_route',
        'the Content-Type must be application/json or application/protobuf',
      )
  }
}

/**
 * Reads a message. Fields can have their names in snake_case or camelCase; those that we do not know are ignored, because
 * newer clients send more.
 * @throws {ProtocolError} malformed.
 */
export function decode<Desc extends DescMessage>(
  schema: Desc,
  bytes: Uint8Array,
  format: Format,
): MessageShape<Desc> {
  try {
    if (format === 'binary') return fromBinary(schema, bytes)
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return fromJson(schema, JSON.parse(text) as JsonValue, { ignoreUnknownFields: true })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ProtocolError('malformed', `the message cannot be read: ${reason}`)
  }
}

/** Writes a message; in JSON with all fields, under the names that all clients know. */
export function encode<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
  format: Format,
): { type: string; body: string | Uint8Array } {
  if (format === 'binary') return { type: 'application/protobuf', body: toBinary(schema, message) }
  const json = toJson(schema, message, { useProtoFieldName: true, alwaysEmitImplicit: true })
  return { type: 'application/json', body: JSON.stringify(json) }
}
