'use client'
import type { ReactNode } from 'react'
import { Avatar } from './primer'

/**
 * Avatar of a user, always loaded from the site that served the page, whatever its base URL. Decorative,
 * because the name is shown next to it.
 */
export function UserAvatar({ id, size = 20 }: { id: number; size?: number }): ReactNode {
  return <Avatar src={`/avatars/${id}`} size={size} alt="" />
}
