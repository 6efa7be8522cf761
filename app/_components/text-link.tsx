'use client'
import NextLink from 'next/link'
import type { ReactNode } from 'react'
import { Link } from './primer'

interface TextLinkProps {
  href: string
  children: ReactNode
  /** Inside running text, where color alone would not tell it apart. */
  inline?: boolean
  muted?: boolean
}

export function TextLink({ href, children, inline = false, muted = false }: TextLinkProps): ReactNode {
  return (
    <Link as={NextLink} href={href} inline={inline} muted={muted}>
      {children}
    </Link>
  )
}
