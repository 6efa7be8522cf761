import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { AuthCard } from '@/app/_features/auth/auth-card'
import { RegisterForm } from '@/app/_features/auth/register-form'
import { instanceStatus } from '@/app/_lib/server'

export const metadata: Metadata = { title: 'Set up' }

export default async function SetupPage(): Promise<ReactNode> {
  if (!(await instanceStatus()).needs_setup) redirect('/')
  return (
    <AuthCard
      title="Set up Guildhall"
      lead="This creates the first account, which administers this site and can add everyone else."
    >
      <RegisterForm purpose="setUp" submitWords="Create administrator" />
    </AuthCard>
  )
}
