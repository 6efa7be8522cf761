'use client'
import type { ReactNode } from 'react'
import { Avatar } from './primer'

/** Always from this site, whatever address the server believes it has; the name stands beside it. */
export function UserAvatar({ id, size = 20 }: { id: number; size?: number }): ReactNode {
  return <Avatar src={`/avatars/${id}`} size={size} alt="" />
}
