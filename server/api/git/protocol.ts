import { securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import type { GitService } from './git-path'

/** The versions of the protocol the client offers, as git takes them; empty when it offers none in order. */
export function offeredProtocol(offered: string): string {
  return /^[\w=:.-]{1,100}$/.test(offered) ? offered : ''
}

/** The variable that tells git which versions the client offers. */
export const protocolVariable = (offered: string): Record<string, string> =>
  offered ? { GIT_PROTOCOL: offered } : {}

/** Whether a fetch uses version 2 of the protocol, in which every request stands for itself. */
export const isVersion2 = (offered: string): boolean => offered.split(':').includes('version=2')

/** What goes before git's own list of refs. Version 2 does without, and is for fetching only. */
export function greetingOf(service: GitService, offered: string): string {
  if (service === 'git-upload-pack' && isVersion2(offered)) return ''
  const line = `# service=${service}\n`
  return `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`
}

export function gitHeaders(contentType: string): Record<string, string> {
  return { ...securityHeaders, 'Content-Type': contentType, 'Cache-Control': 'no-cache' }
}
