import { expect, it } from 'vitest'
import type { TokenScope } from '@/server/actions/permissions/schema'
import { tokenText } from './token-text'

const scope = (name: string, access: TokenScope['access'], note: TokenScope['note'] = null): TokenScope => ({
  scope: name,
  access,
  note,
})

it.each<[string, TokenScope[], string]>([
  ['nothing', [], 'No access'],
  [
    'what was granted and what has no effect',
    [scope('contents', 'read'), scope('actions', 'read'), scope('packages', 'read', 'no_effect')],
    'contents: read, actions: read; packages: read has no effect here',
  ],
  [
    'what is public',
    [scope('contents', 'read', 'public'), scope('actions', 'write')],
    'actions: write; contents: read because the repository is public',
  ],
  [
    'only what has no effect',
    [scope('issues', 'write', 'no_effect'), scope('id-token', 'write', 'no_effect')],
    'No access; issues: write, id-token: write have no effect here',
  ],
])('the text about a token shows %s', (_, token, text) => {
  expect(tokenText(token)).toBe(text)
})
