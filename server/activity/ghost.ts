import { neverTime } from '@/server/kernel/wire'
import type { User } from '@/server/users/schema'

/** Stands for somebody whose account is deleted, or hidden from the viewer. */
export function ghost(baseUrl: string): User {
  return {
    id: -1,
    login: 'ghost',
    full_name: '',
    email: '',
    avatar_url: `${baseUrl}/avatars/0`,
    html_url: '',
    created: neverTime,
    restricted: false,
    location: '',
    website: '',
    description: '',
    visibility: 'public',
    followers_count: 0,
    following_count: 0,
    starred_repos_count: 0,
    login_name: '',
    source_id: 0,
    language: '',
    is_admin: false,
    last_login: neverTime,
    active: false,
    prohibit_login: false,
    username: 'ghost',
  }
}
