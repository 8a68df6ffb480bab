"""Spanish."""

from __future__ import annotations

from hermes_tui.sessions.titles.languages.language import Language

SPANISH = Language(
    code="es",
    letters="ñ¿¡",
    greetings="""
        hola|holaa|holi|holis|hey|ey|saludos a_todos|todos|gente|equipo|amigo|amiga|amigos|de_nuevo|otra_vez|buenas|
            hola|chicos|señores|a_todas|colegas?
        buenos|buenas|buen días|dias|tardes|noches|día|dia a_todos|todos|equipo|gente?
        muy buenas|buenos tardes|días|noches?
        qué|que tal|onda|hubo|hay|pasa estás|está|están|todo|va|va_todo|amigo?
        cómo|como estás|estas|está|están|va|te_va|andas|vas hoy|todo?
        estimado|estimada|estimados|estimadas|querido|querida|queridos|apreciado|apreciada asistente|equipo|señor|
            señora|señores|todos|colegas|amigo|hermes|soporte?
        espero que estés|este|esté|estéis|estén|se_encuentre|te_encuentres|todo|le|te bien|muy_bien|esté_bien|
            vaya_bien?
        a quien corresponda|pueda_interesar
        mucho gusto
        un gusto saludarte|saludarle
        feliz año|lunes|viernes nuevo?
        aló|alo
    """,
    names="hermes asistente bot amigo amiga compañero colega jefe tío bro equipo señor",
    polite="""
        por favor|favorcito
        porfa|porfavor|porfis|plis|pls|xfa|xfavor
        si eres|es|fueras|fuera tan amable
        si no_te|no_le importa|molesta|es_molestia
        si puedes|puede|pudieras|pudiera|es_posible|fuera_posible
        te|se|os lo agradezco|agradecería|agradeceria mucho?
    """,
    closing="""
        gracias|grax|thx de_antemano|por_adelantado|por_todo|por_tu_ayuda|por_su_ayuda|a_todos|amigo|mil?
        muchas|mil|muchísimas gracias de_antemano|por_adelantado|por_todo|por_tu_ayuda|por_su_ayuda?
        un|muchos|cordiales saludo|abrazo|saludos
        un cordial saludo
        saludos cordiales?
        quedo atento|atenta|a_la_espera
        alguna|alguien|algún idea|consejo|sugerencia|sabe
        qué|que hago|puedo_hacer|puede_ser|me_recomiendas|me_recomiendan|me_aconsejas|debo_hacer|debería_hacer
        ayuda|auxilio|socorro
    """,
    fillers="""
        oye|oiga|oigan|oid|mira|mirad|mire|bueno|pues|eh|em|ehm|este|ok|okay|vale|a_ver|venga|dime|ay|uf
        una|otra|tengo|hago|te_hago|te|le pregunta|consulta|duda|preguntita|cosa rápida|rapida|tonta|más|mas|sencilla|
            simple|breve?
        tengo una|otra|algunas|varias|unas pregunta|consulta|duda|dudas|preguntas rápida|rapida|tonta|sencilla|breve?
        quería|queria|quisiera|quiero|me_gustaría|me_gustaria|necesito preguntarte|preguntarle|consultarte|
            consultarle|preguntar|consultar|pedirte|pedirle|hacerte|hacerle algo|una_cosa|una_pregunta|una_consulta|
            ayuda|un_favor|lo_siguiente?
        puedo|te_puedo|le_puedo hacerte|hacerle|preguntarte|hacer|preguntar una|algo pregunta|consulta?
        perdón|perdon|perdona|perdone|disculpa|disculpe|disculpad|disculpen|lo_siento la|por|que molestia|la_molestia|
            te_moleste|molestarte|molestar?
        por cierto
        es que
        la verdad|verdad_es que|es_que?
        o sea
        en fin
        antes de|que nada
        necesito ayuda|tu_ayuda|su_ayuda urgente|urgentemente|ya?
        estás ahí|ahi
        hay|está alguien ahí|ahi?
        gracias por tu|su|la ayuda|respuesta
        un favor
        hazme|hágame|haceme un favor y|de?
        verás|veras|resulta que?
    """,
    soft_fillers="""
        entonces|buenas|así|asi|ahora|y|pero|también|tambien|además|ademas|sí|si|bien|claro|solo|simplemente|
            actualmente|hoy|igual|nada|tal_vez|quizás
        en este momento
        por ahora
    """,
    frames="""
        me|nos|le|te puedes|podrías|podrias|puede|podría|podria|pueden|podrían|podrian|podéis|podríais|ayudas|ayuda|
            ayudarías|haces|harías|das|explicas|dices por_favor? ayudar|echar_una_mano|hacer|dar|explicar|decir|
            escribir|preparar|crear|generar? a|con|en|un|una|el|la|unos|unas?
        puedes|podrías|podrias|puede|podría|podria|pueden|podrían|podrian|podéis|podríais|sabrías|quieres|querrías|
            sabes|podés por_favor|tú|tu|usted|ustedes|quizás|también? ayudarme|
            ayudarnos|echarme_una_mano|ayudar|darme_una_mano|orientarme|apoyarme? a|con|en|para|sobre?
        puedes|podrías|podrias|puede|podría|podria|podés hacerme|darme|escribirme|prepararme|crearme|generarme|
            pasarme|mostrarme|enseñarme|armarme|redactarme|recomendarme un|una|el|la|unos|unas|algunos|algunas|algún|
            alguna?
        si|que me|nos podrías|podrias|podría|podria|puedes|puede|pudieras|pudiera ayudar|echar_una_mano? a|con|en?
        si podrías|podrias|podría|puedes|puede|pudieras|pudiera ayudarme|ayudarnos? a|con|en?
        ayúdame|ayudame|ayúdeme|ayudeme|ayúdanos|ayudadme|ayúdenme|ayuda|apóyame|échame_una_mano por_favor? a|con|en|
            para?
        quiero|quisiera|queremos|quería|queria|queríamos|necesito|necesitamos|necesitaba|necesitaría|deseo|desearía|
            ocupo|requiero|preciso que_me_ayudes|urgentemente|urgente|solo|también? me|nos|tú? ayudes|ayude|hagas|
            haga|des|dé? a|con|en|un|una|ayuda|ayuda_para|ayuda_con?
        yo? quiero|quisiera|necesito|deseo saber|preguntar|consultar|preguntarte|consultarte|conocer|averiguar|
            pedirte|pedir|pedirle|preguntarle|consultarle|entender sobre|acerca_de|por|algo_sobre? me|podrías|puedes?
        me|nos gustaría|gustaria|encantaría|encantaria|interesa|interesaría|haría_falta|hace_falta|urge|vendría_bien
            mucho? saber|conocer|preguntar|entender|que|tener|recibir|averiguar|hacer? me_ayudaras_a|me_ayudes_a|
            me_ayudara_a|un|una?
        tengo|tenemos|hay|debo|debemos que
        estoy|estamos|ando|andaba|estaba buscando|tratando|intentando|queriendo|pensando|planeando|planificando de|en|
            un|una|unos|unas|el|la?
        busco|buscamos|ando_buscando|se_busca un|una|unos|unas?
        intento|trato|quiero intentar|de?
        es|sería|seria|será posible|factible para_ti?
        hay|existe|habrá|conoces|conocen|sabes_de|sabe_de|tienes|tienen|tendrías|tendrás|alguien_sabe|alguien_tiene|
            alguien_conoce|sabes|sabe|saben alguna|algún|algun|una|un|alguien|algo? forma|manera|modo|opción|
            posibilidad de|para
        alguien|conoces|conoce|conocen|tienes|tiene|tendrías sabe|conoce|tiene|puede|podría|me_puede|podría? ayudarme|
            explicar|decirme|pasarme|recomendarme? a|con|algún|alguna|un|una|algunos|algunas?
        dame|deme|danos|pásame|pasame|muéstrame|muestrame|enséñame|enseñame|recomiéndame|recomiendame|sugiéreme|
            sugiereme|proponme|consígueme un|una|unos|unas|algunas|algunos|el|la|los|las?
        hazme|hágame|hagame|haceme|ármame|prepárame|preparame|créame|creame|escríbeme|escribeme|escríbame|redáctame|
            redactame|genérame|generame|diséñame|constrúyeme|prográmame un|una|unos|unas|el|la
        dime|dígame|digame|cuéntame|cuentame|háblame|hablame|explícame|explicame|explíqueme sobre|de|acerca_de|
            algo_sobre|más_sobre
        explícame|explicame|explíqueme|expliqueme|explicadme
        vamos a
        tu|su tarea|misión|objetivo|trabajo es
        mi|la|una pregunta|duda|consulta es|sería si|que?
        le|te|les|os agradecería|agradeceria|agradezco|ruego|pido|rogaría|pediría|agradeceríamos|solicito|
            agradecería_mucho que|si|por_favor|mucho? me|pudieras|pudiera|puedes|pudieran|podrías? ayudaras|ayudara|
            ayudar|a?
        solicito|se_solicita|ruego
        tu|su opinión|consejo|opinion sobre|de|acerca_de
        sería|seria|estaría genial|bueno|ideal|útil si|que|poder? me|pudieras|puedes?
        lo que quiero|necesito|busco es
        para|de|a ver si
    """,
    asking="""
        dime|dígame|digame|explícame|explicame|explíqueme|explica|enséñame|muéstrame|indícame|aclárame|cuéntame|
            recuérdame exactamente|por_favor|otra_vez?
        decirme|explicarme|explicar|entender|averiguar|saber|indicarme|aclarar|aclararme|mostrarme|enseñarme|
            comprender|descubrir|ver|revisar|determinar por_favor|exactamente?
        sabes|sabe|saben|sabéis|alguien_sabe|tienes_idea_de|tienes_idea|alguna_idea_de|sabrías|me_dices|me_explicas
        no sé|se|entiendo|comprendo|logro_entender|tengo_claro|tengo_idea_de|encuentro bien|muy_bien?
        quiero|quisiera|necesito|me_gustaría saber|entender|conocer|preguntar
        pregunto
        me pregunto
        revisa|mira|comprueba|averigua|investiga|verifica
        tengo|tenía la_duda|una_duda|curiosidad de|sobre|por_saber?
    """,
    openers="""
        tengo|tenemos|tenía|estoy|estamos|me_sale|me_salen|me_aparece|me_da|me_dio|nos_sale|obtengo|recibo|uso|usamos|
            utilizo|hay|veo|ando|llevo teniendo|usando|recibiendo|viendo|trabajando_en|haciendo|desarrollando|con|
            aprendiendo|creando|desde_ayer|desde_hace_días|siempre|también|ahora? un|una|unos|unas|el|la|este|esta|
            mucho|dos|tres|algunos|algunas|mi?
        aquí|aqui|acá|ahí|este|esta|esto|ese|eso|estos está|esta|están|va|tienes|es|son|te_dejo|les_dejo un|una|el|la|
            mi|los|las|mis?
        soy|somos un|una?
        mi|el|nuestro problema es que?
    """,
    telling="tengo tenemos estoy estamos soy somos mi mis nuestro nuestra nuestros hay aquí aqui este esta esto es "
    "desde "
    "ayer hoy hace uso usamos he hemos me nos se trabajo vivo yo compré instalé para con al",
    orders="arregla arreglar corrige corregir escribe escribir explica explicar haz hacer crea crear genera generar "
    "traduce traducir resume resumir busca buscar encuentra dime muestra calcula compara analiza optimiza mejora "
    "revisa convierte cambia añade agrega elimina borra instala configura despliega prueba refactoriza simplifica "
    "organiza planifica recomienda sugiere lista enumera redacta prepara diseña dibuja ordena filtra extrae lee abre "
    "cierra envía manda compra reserva cancela recuérdame recuerda avísame pon quita mueve renombra actualiza ejecuta "
    "verifica comprueba descarga sube programa implementa desarrolla construye búscame buscame tradúceme resúmeme "
    "cuéntame cuenta describe valida documenta migra limpia automatiza dame hazme explícame ayúdame invierte juega "
    "imagina piensa completa continúa reescribe inventa escríbeme",
    making="""
        escribe|haz|crea|genera|redacta|prepara|diseña|dibuja|arma|construye|desarrolla|programa|dame|escribir|hacer|
            crear|generar|redactar|preparar un|una|unos|unas
        búscame|buscame|busca|encuentra|encuéntrame un|una|unos|unas?
        recomiéndame|sugiéreme un|una
    """,
    roles="""
        como un|una|experto|experta
        eres un|una|mi
        actúa|actua|compórtate|responde como un|una|mi?
        imagina que eres
    """,
    small="""
        me|nos por_favor?
    """,
    questions="qué que cómo como cuándo cuando dónde donde por_qué quién quien quiénes cuál cual cuáles cuáles cuánto "
    "cuanto cuánta cuántos cuantos cuántas puedo debo debería es hay está sirve existe conviene vale",
    asides="""
        por qué
        cómo|como puedo|podemos|se_puede|podría|debo|debería|se|hago_para|hacer_para|puede_uno|haría_para
        cuál|cual|cuáles|cuales|qué|que es|son|sería|serían el|la|los|las
        qué|que puedo|debo|debería|tengo_que hacer|saber|tener_en_cuenta para|si|cuando|sobre?
        puedo|debo|debería|se_puede|podemos
    """,
    blocks="que",
    labels="pregunta tarea problema tema asunto duda consulta error nota objetivo contexto ayuda re fwd rv todo bug ps "
    "título",
    refers="lo esto eso",
    articles="el la los las un una unos unas lo",
    leading="un una unos unas",
    leading_before_capital="el la los las",
    possessives="mi mis tu tus su sus nuestro nuestra nuestros nuestras",
    skipped="hay",
    prepositions="en con para por sin sobre desde hasta según durante mediante tras ante bajo contra hacia vía "
    "después antes debajo encima dentro cerca "
    "usando al",
    tight="de del a como",
    since="de desde del",
    until="a hasta al",
    pairing="entre compara comparar",
    choosing="o u",
    joining="y e o u ni",
    clauses="porque cuando si aunque pero sino mientras pues ya_que entonces",
    half="cuando",
    relatives="que cual cuyo quien donde como cómo qué dónde cuándo cuál por_qué",
    subjects="yo él ella nosotros ellos ellas usted ustedes",
    auxiliaries="es son está están era eran fue ha han he hemos había puede pueden debe deben va van hay ser estar "
    "tiene tienen será estoy soy estamos haya dejó dejo empezó cumple quiere vive dice viene hace sigue necesita "
    "gusta encanta encantan",
    adverbs="muy tan más mas menos no también tampoco solo sólo ya aún todavía casi bastante mucho mucha muchos muchas "
    "poco cada todo toda todos todas algún alguna algunos algunas ningún ninguna otro otra otros otras este esta estos "
    "estas ese esa esos esas mismo misma varios nuevo nueva sin_embargo",
    clitics="me te se nos le les lo os",
    toward="a",
    particles="me te se nos le les lo la sí no aquí ahí allí ahora hoy ayer siempre nunca algo nada alguien nadie esto "
    "eso favor por gracias hola conmigo contigo",
    generic="ayuda ayudar ayúdame ayudame problema problemas error errores pregunta preguntas duda dudas código cosa "
    "cosas forma manera hacer hago haz arreglar arregla solucionar resolver solución idea ideas consejo consejos "
    "siguiente siguientes adjunto abajo significa quiere decir pasa pasó sabe saber sé entiendo entender explica "
    "explicar explícame mira mirar ver veo funciona funcionar funcionan necesito quiero quisiera busco puede puedo "
    "puedes podrías texto mensaje ejemplo estimado espero rápido urgente posible log logs captura enlace gracias "
    "intento intentar probar sale salen aparece tengo estoy bien mal mejor respuesta aquí dame dime favor saludo "
    "saludos cordial señor señora recomiendas recomienda aconsejas",
    trouble="falla fallan fallando falló error errores roto rota rompe cuelga colgado lento lenta caído caída responde "
    "funciona no sin duele dolor perdido perdí bloqueado bloqueada denegado rechazado vencido lleno llena reinicia "
    "cierra crashea excepción problema pierde gotea enfermo fiebre apaga",
)
