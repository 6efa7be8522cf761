declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface SwaggerOptions {
    domNode: HTMLElement
    url: string
    deepLinking: boolean
    docExpansion: 'list' | 'full' | 'none'
    defaultModelsExpandDepth: number
    persistAuthorization: boolean
    tryItOutEnabled: boolean
    validatorUrl: null
    onComplete: () => void
  }
  export default function SwaggerUI(options: SwaggerOptions): unknown
}
