import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { ButtonLink } from '@/app/_components/links'
import { PageHeading } from '@/app/_components/page-heading'
import { DeleteUserSection } from '@/app/_features/users/delete-user'
import { EditUserForm } from '@/app/_features/users/edit-user-form'
import { SetPasswordForm } from '@/app/_features/users/set-password-form'
import { UserTrail } from '@/app/_features/users/user-trail'
import { decodeSegment } from '@/app/_lib/paths'
import { caller, orNotFound, requireAdmin } from '@/app/_lib/server'

interface UserPageProps {
  params: Promise<{ username: string }>
}

export async function generateMetadata({ params }: UserPageProps): Promise<Metadata> {
  return { title: decodeSegment((await params).username) }
}

export default async function UserPage({ params }: UserPageProps): Promise<ReactNode> {
  const me = await requireAdmin()
  const { username } = await params
  const user = await orNotFound((await caller()).users.get({ username }))
  const isMe = user.id === me.user.id
  return (
    <>
      <UserTrail username={user.login} />
      <PageHeading
        title={user.login}
        actions={<ButtonLink href={`/-/admin/users/${user.login}/keys`}>SSH keys</ButtonLink>}
      >
        {user.full_name || user.email}
      </PageHeading>
      <EditUserForm key={user.id} user={user} isMe={isMe} />
      {isMe ? null : <SetPasswordForm username={user.login} />}
      {isMe ? null : <DeleteUserSection username={user.login} />}
    </>
  )
}
