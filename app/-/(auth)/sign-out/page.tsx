import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { Button } from '@/app/_components/primer'
import { currentSession } from '@/app/_lib/server'
import { AuthCard } from '../auth-card'

export const metadata: Metadata = { title: 'Sign out' }

/** An address alone must not sign anybody out: every site can have a browser open one. */
export default async function SignOutPage(): Promise<ReactNode> {
  const session = await currentSession()
  if (!session) redirect('/')
  return (
    <AuthCard title="Sign out of Guildhall" lead={`You are signed in as ${session.user.login}.`}>
      <form method="post" action="/-/forms/sign-out">
        <Button type="submit" variant="primary" block>
          Sign out
        </Button>
      </form>
    </AuthCard>
  )
}
