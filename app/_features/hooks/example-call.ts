import { apiPath } from '@/app/_features/places/place-paths'
import { shellWord } from '@/app/_lib/format'
import type { PlaceName } from '@/server/places/schema'

/** A command that makes a hook of a place; the token has to be put into it. */
export function exampleCall(place: PlaceName, baseUrl: string): string {
  const body = {
    type: 'gitea',
    active: true,
    events: ['push'],
    config: { url: 'https://ci.example.com/hooks', content_type: 'json', secret: 'SECRET' },
  }
  return [
    `curl -X POST ${shellWord(`${baseUrl}/api/v1${apiPath(place, 'hooks')}`)}`,
    "-H 'Authorization: token TOKEN'",
    "-H 'Content-Type: application/json'",
    `-d ${shellWord(JSON.stringify(body))}`,
  ].join(' \\\n  ')
}
