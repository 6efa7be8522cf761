import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { PageHeading } from '@/app/_components/page-heading'
import { MustChangeNotice, PasswordElsewhere, PasswordForm } from '@/app/_features/settings/password-form'
import { requireSession } from '@/app/_lib/server'

export const metadata: Metadata = { title: 'Password' }

export default async function PasswordPage(): Promise<ReactNode> {
  const { user, must_change_password, login_type } = await requireSession()
  return (
    <>
      <PageHeading title="Password">
        After a change, every other browser that is signed in as you has to sign in again.
      </PageHeading>
      {must_change_password ? <MustChangeNotice /> : null}
      {login_type === 'local' ? <PasswordForm username={user.login} /> : <PasswordElsewhere />}
    </>
  )
}
