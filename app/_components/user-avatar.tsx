'use client'
import type { ReactNode } from 'react'
import { Avatar } from './primer'

/** A user's avatar, always from this site, whatever base URL the server has. The name is next to it. */
export function UserAvatar({ id, size = 20 }: { id: number; size?: number }): ReactNode {
  return <Avatar src={`/avatars/${id}`} size={size} alt="" />
}
