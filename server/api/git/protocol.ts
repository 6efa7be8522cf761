import type { Call } from '@/server/kernel/http/call'
import { securityHeaders } from '@/server/kernel/http/security-headers'
import type { GitService } from './git-path'

/** The versions of the protocol the client offers, as git takes them; empty when it offers none in order. */
export function offeredProtocol({ headers }: Call): string {
  const offered = headers.get('git-protocol') ?? ''
  return /^[\w=:.-]{1,100}$/.test(offered) ? offered : ''
}

/** What goes before git's own list of refs. Version 2 does without, and is for fetching only. */
export function greeting(service: GitService, offered: string): string {
  if (service === 'git-upload-pack' && offered.split(':').includes('version=2')) return ''
  const line = `# service=${service}\n`
  return `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`
}

export function gitHeaders(contentType: string): Record<string, string> {
  return { ...securityHeaders, 'Content-Type': contentType, 'Cache-Control': 'no-cache' }
}
