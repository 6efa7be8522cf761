import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'

/** Gives all addresses of a name; none where there is no such name. */
export type Lookup = (name: string) => Promise<string[]>

interface Sources {
  hostsFile?: string
  configFile?: string
  /** Instead of those in the configuration. */
  servers?: string[]
}

const maxLookupMs = 5_000
const unknown = ['ENOTFOUND', 'ENODATA', 'EBADNAME', 'ENONAME']

/**
 * Makes a lookup in the hosts file and then in DNS, with its search list. It answers within 5 seconds and takes no thread:
 * the system's own one blocks half of those that files and passwords need for as long as a name server likes.
 */
export function createLookup(sources: Sources = {}): Lookup {
  const { hostsFile = '/etc/hosts', configFile = '/etc/resolv.conf', servers } = sources
  return async host => {
    const name = host.toLowerCase().replace(/\.$/, '')
    if (/(^|\.)localhost$/.test(name)) return ['127.0.0.1', '::1']
    const listed = addressesIn(await linesOf(hostsFile), name)
    if (listed.length > 0) return listed
    const candidates = host.endsWith('.') ? [name] : candidatesFor(await linesOf(configFile), name)
    return ask(name, candidates, servers)
  }
}

// A system without these files has no such entries.
async function linesOf(file: string): Promise<string[][]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.split('\n').map(line =>
    line
      .replace(/[#;].*/, '')
      .trim()
      .toLowerCase()
      .split(/\s+/),
  )
}

const addressesIn = (lines: string[][], name: string): string[] =>
  lines.flatMap(([address = '', ...names]) => (isIP(address) && names.includes(name) ? [address] : []))

/** Names with few dots are completed first, as resolv.conf says. */
function candidatesFor(lines: string[][], name: string): string[] {
  const domains = lines.findLast(([word]) => word === 'search' || word === 'domain')?.slice(1) ?? []
  const options = lines.filter(([word]) => word === 'options').flat()
  const dots = Number(options.findLast(option => /^ndots:\d+$/.test(option))?.slice(6) ?? 1)
  const completed = domains.map(domain => `${name}.${domain}`)
  return name.split('.').length > dots ? [name, ...completed] : [...completed, name]
}

async function ask(name: string, candidates: string[], servers: string[] | undefined): Promise<string[]> {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  if (servers) resolver.setServers(servers)
  const timer = setTimeout(() => resolver.cancel(), maxLookupMs)
  try {
    for (const candidate of candidates) {
      const answers = await Promise.allSettled([resolver.resolve4(candidate), resolver.resolve6(candidate)])
      const addresses = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
      if (addresses.length > 0) return addresses
      const codes = answers.map(answer => String(answer.status === 'rejected' && answer.reason.code))
      const failed = codes.find(code => !unknown.includes(code))
      if (failed) throw unresolved(`the name servers did not answer for ${name}: ${failed}`, 'EAI_AGAIN')
    }
    return []
  } finally {
    clearTimeout(timer)
  }
}

/** An error with the code that the system's own resolver would give it. */
export function unresolved(message: string, code: 'ENOTFOUND' | 'EAI_AGAIN'): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code })
}
