'use client'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { ButtonLink } from './button-link'

/** The way in, except where the page itself is that. */
export function SignInLink(): ReactNode {
  const pathname = usePathname()
  if (pathname === '/-/sign-in' || pathname === '/-/setup') return null
  return <ButtonLink href="/-/sign-in">Sign in</ButtonLink>
}
