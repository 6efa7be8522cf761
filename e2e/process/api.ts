import { randomBytes } from 'node:crypto'
import { admin } from './guildhall'

export const adminHeaders = {
  authorization: `Basic ${Buffer.from(`${admin.name}:${admin.password}`).toString('base64')}`,
  'content-type': 'application/json',
}

/** Returns a title and a well-formed Ed25519 public key whose private key does not exist. */
export function freshKey(): { title: string; key: string } {
  const name = Buffer.from('\0\0\0\x0bssh-ed25519\0\0\0\x20', 'latin1')
  const bytes = randomBytes(32)
  return {
    title: bytes.toString('hex'),
    key: `ssh-ed25519 ${Buffer.concat([name, bytes]).toString('base64')}`,
  }
}

/** Creates an access token of the administrator with every scope. */
export async function adminToken(url: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/users/${admin.name}/tokens`, {
    method: 'POST',
    headers: adminHeaders,
    body: JSON.stringify({ name: randomBytes(6).toString('hex'), scopes: ['all'] }),
  })
  const made = (await response.json()) as { sha1: string }
  return made.sha1
}

/**
 * Creates a repository of the administrator with a first commit and a release, and returns the release's ID.
 */
export async function makeRelease(url: string, repository: string): Promise<number> {
  const post = async (path: string, body: object): Promise<{ id: number }> => {
    const init = { method: 'POST', headers: adminHeaders, body: JSON.stringify(body) }
    const response = await fetch(`${url}/api/v1${path}`, init)
    if (response.status !== 201) throw new Error(await response.text())
    return (await response.json()) as { id: number }
  }
  await post('/user/repos', { name: repository, auto_init: true })
  const { id } = await post(`/repos/${admin.name}/${repository}/releases`, { tag_name: 'v1' })
  return id
}

export function addKey(url: string, token: string, body = freshKey()): Promise<Response> {
  return fetch(`${url}/api/v1/user/keys`, {
    method: 'POST',
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

/** Returns the titles of all of the administrator's keys, from every page of the list. */
export async function allTitles(url: string, token: string): Promise<Set<string>> {
  const titles = new Set<string>()
  for (let page = 1; ; page++) {
    const response = await fetch(`${url}/api/v1/user/keys?limit=50&page=${page}`, {
      headers: { authorization: `token ${token}` },
    })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    const keys = (await response.json()) as { title: string }[]
    if (keys.length === 0) return titles
    for (const key of keys) titles.add(key.title)
  }
}
