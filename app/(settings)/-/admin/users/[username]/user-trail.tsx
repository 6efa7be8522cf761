'use client'
import NextLink from 'next/link'
import type { ReactNode } from 'react'
import { Breadcrumbs } from '@/app/_components/primer'

/** The way back up from a page about one user. */
export function UserTrail({ username, leaf }: { username: string; leaf?: string }): ReactNode {
  return (
    <Breadcrumbs>
      <Breadcrumbs.Item as={NextLink} href="/-/admin/users">
        Users
      </Breadcrumbs.Item>
      <Breadcrumbs.Item as={NextLink} href={`/-/admin/users/${username}`} selected={!leaf}>
        {username}
      </Breadcrumbs.Item>
      {/* A list, because even an absent child would get its slash. */}
      {leaf
        ? [
            <Breadcrumbs.Item key="leaf" as={NextLink} href={`/-/admin/users/${username}/keys`} selected>
              {leaf}
            </Breadcrumbs.Item>,
          ]
        : []}
    </Breadcrumbs>
  )
}
