'use client'
import { type ReactNode, useEffect, useRef } from 'react'
import 'swagger-ui-dist/swagger-ui.css'
import './api-browser.css'
import { callsLayout } from './calls-layout'

export function ApiBrowser(): ReactNode {
  const place = useRef<HTMLDivElement>(null)

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
