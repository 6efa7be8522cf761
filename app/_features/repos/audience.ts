import type { User } from '@/server/users/schema'

/** Who can see what this account has and does not keep private. */
export function audienceOf({ login, visibility }: Pick<User, 'login' | 'visibility'>): string {
  if (visibility === 'private') return `every member of ${login}`
  return visibility === 'limited' ? 'everyone who is signed in' : 'everyone'
}
