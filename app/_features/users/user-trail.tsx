import type { ReactNode } from 'react'
import { Trail } from '@/app/_components/trail'

/** The way back up from a page about one user. */
export function UserTrail({ username, leaf }: { username: string; leaf?: string }): ReactNode {
  const user = { href: `/-/admin/users/${username}`, label: username }
  const below = leaf ? [{ href: `${user.href}/keys`, label: leaf }] : []
  return <Trail steps={[{ href: '/-/admin/users', label: 'Users' }, user, ...below]} />
}
