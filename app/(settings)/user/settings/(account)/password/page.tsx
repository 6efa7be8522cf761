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
      <PageHeading title="Password">Changing your password signs you out of all other browsers.</PageHeading>
      {must_change_password ? <MustChangeNotice /> : null}
      {login_type === 'local' ? <PasswordForm username={user.login} /> : <PasswordElsewhere />}
    </>
  )
}
