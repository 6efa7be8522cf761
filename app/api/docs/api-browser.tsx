'use client'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTheme } from '@/app/_components/primer'
import 'swagger-ui-dist/swagger-ui.css'
import './api-browser.css'
import { callsLayout } from './calls-layout'

export function ApiBrowser(): ReactNode {
  const place = useRef<HTMLDivElement>(null)
  const { resolvedColorMode } = useTheme()
  const isDark = resolvedColorMode === 'night' || resolvedColorMode === 'dark'

  // The viewer looks for this class on <html>, and there alone.
  useEffect(() => {
    document.documentElement.classList.toggle('dark-mode', isDark)
    return () => document.documentElement.classList.remove('dark-mode')
  }, [isDark])

  useEffect(() => {
    let gone = false
    void import('swagger-ui-dist/swagger-ui-es-bundle.js').then(({ default: SwaggerUI }) => {
      if (gone || !place.current) return
      SwaggerUI({
        domNode: place.current,
        url: '/api/v1/openapi.json',
        layout: 'CallsLayout',
        plugins: [callsLayout],
        // The links would stand inside buttons, where a keyboard cannot tell them apart.
        deepLinking: false,
        docExpansion: 'list',
        defaultModelsExpandDepth: 0,
        persistAuthorization: false,
        validatorUrl: null,
      })
    })
    return () => {
      gone = true
    }
  }, [])

  return <div ref={place} className="api-browser" />
}
