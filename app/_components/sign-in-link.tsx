'use client'
import { usePathname, useSearchParams } from 'next/navigation'
import type { ReactNode } from 'react'
import { signInAddress } from '@/app/_lib/sign-in-address'
import { ButtonLink } from './button-link'

/** The way in, and back to this page; nothing where the page itself is the way in. */
export function SignInLink(): ReactNode {
  const pathname = usePathname()
  const search = useSearchParams().toString()
  if (pathname === '/-/sign-in' || pathname === '/-/setup') return null
  return <ButtonLink href={signInAddress({ pathname, search: search && `?${search}` })}>Sign in</ButtonLink>
}
