import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'

/** Resolves a host name to all of its IP addresses; the result is empty if the name does not exist. */
export type Lookup = (name: string) => Promise<string[]>

interface Sources {
  hostsFile?: string
  configFile?: string
  /** Name servers to query instead of those in the configuration. */
  servers?: string[]
}

const maxLookupMs = 5_000
const unknown = ['ENOTFOUND', 'ENODATA', 'EBADNAME', 'ENONAME']

/**
 * Creates a host name lookup that searches the hosts file and then DNS, with the search list in
 * `/etc/resolv.conf`. Each lookup takes at most 5 seconds and uses no thread of Node's thread pool, half of
 * which the system's resolver can block while a name server does not respond.
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

/**
 * Returns the names to query. Names with few dots are completed with the search list first, as defined by
 * resolv.conf.
 */
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
      if (failed) throw unresolved(`the name servers could not resolve ${name}: ${failed}`, 'EAI_AGAIN')
    }
    return []
  } finally {
    clearTimeout(timer)
  }
}

/** Creates a name resolution error with the code that the system's resolver would use. */
export function unresolved(message: string, code: 'ENOTFOUND' | 'EAI_AGAIN'): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code })
}
