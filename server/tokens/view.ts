import { neverTime, wireTime } from '@/server/kernel/wire'
import type { ExpiringToken } from './schema'
import type { TokenRow } from './store'

export function viewToken(token: TokenRow): ExpiringToken {
  return {
    id: token.id,
    name: token.name,
    sha1: '',
    token_last_eight: token.token_last_eight,
    scopes: token.scopes,
    created_at: wireTime(token.created_at),
    last_used_at: token.last_used_at ? wireTime(token.last_used_at) : neverTime,
    expires_at: token.expires_at && wireTime(token.expires_at),
  }
}
