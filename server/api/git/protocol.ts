import { securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import type { GitService } from './git-path'

/**
 * Returns the protocol versions that the client offers, as Git expects them; empty if it offers none that are valid.
 */
export function offeredProtocol(offered: string): string {
  return /^[\w=:.-]{1,100}$/.test(offered) ? offered : ''
}

/** Returns the environment variable that passes the client's protocol versions to Git. */
export const protocolVariable = (offered: string): Record<string, string> =>
  offered ? { GIT_PROTOCOL: offered } : {}

/** Returns whether a fetch uses protocol version 2, in which every request is independent. */
export const isVersion2 = (offered: string): boolean => offered.split(':').includes('version=2')

/** Returns the bytes that precede Git's list of refs. Version 2, which is for fetches only, has none. */
export function greetingOf(service: GitService, offered: string): string {
  if (service === 'git-upload-pack' && isVersion2(offered)) return ''
  const line = `# service=${service}\n`
  return `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`
}

export function gitHeaders(contentType: string): Record<string, string> {
  return { ...securityHeaders, 'Content-Type': contentType, 'Cache-Control': 'no-cache' }
}
