import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { TextLink } from '@/app/_components/links'
import { AuthCard } from '@/app/_features/auth/auth-card'
import { RegisterForm } from '@/app/_features/auth/register-form'
import { currentSession, instanceStatus, requireSetUp } from '@/app/_lib/server'

export const metadata: Metadata = { title: 'Create an account' }

export default async function RegisterPage(): Promise<ReactNode> {
  await requireSetUp()
  if (await currentSession()) redirect('/')
  const { registration } = await instanceStatus()
  const signIn = (
    <>
      Already have an account?{' '}
      <TextLink href="/-/sign-in" inline>
        Sign in
      </TextLink>
    </>
  )

  return (
    <AuthCard title="Create an account" below={signIn}>
      {registration ? (
        <RegisterForm purpose="register" submitLabel="Create account" />
      ) : (
        <p>Registration is turned off on this site. Ask an administrator to create an account for you.</p>
      )}
    </AuthCard>
  )
}
