declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface SwaggerOptions {
    domNode: HTMLElement
    url: string
    layout: string
    plugins: unknown[]
    deepLinking: boolean
    docExpansion: 'list' | 'full' | 'none'
    defaultModelsExpandDepth: number
    persistAuthorization: boolean
    validatorUrl: null
  }
  export default function SwaggerUI(options: SwaggerOptions): unknown
}
