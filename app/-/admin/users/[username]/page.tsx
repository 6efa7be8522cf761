import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { ButtonLink } from '@/app/_components/links'
import { PageHeading, Trail } from '@/app/_components/page-heading'
import { RevokeOf } from '@/app/_features/sessions/revoke-access'
import { RenameAccountForm } from '@/app/_features/settings/rename-account'
import { DeleteUserSection } from '@/app/_features/users/delete-user'
import { EditUserForm } from '@/app/_features/users/edit-user-form'
import { SetPasswordForm } from '@/app/_features/users/set-password-form'
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
  const user = await orNotFound((await caller()).users.getAdministered({ username }))
  const isMe = user.id === me.user.id
  const path = `/-/admin/users/${user.login}`
  return (
    <>
      <Trail
        steps={[
          { href: '/-/admin/users', label: 'Users' },
          { href: path, label: user.login },
        ]}
      />
      <PageHeading title={user.login} actions={<ButtonLink href={`${path}/keys`}>SSH keys</ButtonLink>}>
        {user.full_name || user.email}
      </PageHeading>
      <EditUserForm key={user.id} user={user} isMe={isMe} />
      {user.source_id === 0 ? <RenameAccountForm username={user.login} by="administrator" /> : null}
      {isMe ? null : <SetPasswordForm username={user.login} />}
      {isMe ? null : <RevokeOf username={user.login} />}
      {isMe ? null : <DeleteUserSection username={user.login} />}
    </>
  )
}
