import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { ButtonLink } from '@/app/_components/links'
import { PageHeading } from '@/app/_components/page-heading'
import { ProfileForm } from '@/app/_features/settings/profile-form'
import { RenameAccountForm } from '@/app/_features/settings/rename-account'
import { caller, requireSession } from '@/app/_lib/server'

export const metadata: Metadata = { title: 'Profile' }

export default async function ProfilePage(): Promise<ReactNode> {
  const { user } = await requireSession()
  const { users } = await caller()
  const [settings, mayRename] = await Promise.all([users.getSettings(), users.mayRename()])
  return (
    <>
      <PageHeading title="Profile" actions={<ButtonLink href={`/${user.login}`}>View profile</ButtonLink>}>
        Edit your profile and choose what others can see.
      </PageHeading>
      <ProfileForm saved={settings} />
      {mayRename ? <RenameAccountForm username={user.login} by="themselves" /> : null}
    </>
  )
}
