"""German."""

from __future__ import annotations

from hermes_tui.sessions.titles.languages.language import Language

GERMAN = Language(
    code="de",
    letters="äöüß",
    greetings="""
        hallo|hallöchen|halli_hallo|hi|hey|servus|moin|moinsen|grüezi|grüß_gott|grüss_gott|grüß_dich|tach|huhu|heyho
            zusammen|alle|allerseits|leute|du|ihr|nochmal|wieder|moin|mal?
        guten|schönen tag|morgen|abend|mittag|nachmittag|sonntag zusammen|allerseits|alle|auch|noch|wünsche_ich?
        guten morgen|abend|tag ihr|euch lieben|allen?
        gute nacht
        morgen|mahlzeit zusammen|allerseits|leute
        liebe|lieber|liebes team|alle|kollegen|kolleginnen|assistent|hermes|leute|freunde|support|support-team|
            kolleginnen_und_kollegen
        sehr? geehrte|geehrter|geehrtes damen_und_herren|team|support|assistent|herren|damen|herr|frau?
        lieber|liebe|hallo herr|frau
        wie geht|gehts|geht's es? dir|ihnen|euch|so? heute?
        wie läuft|läuft's|läufts es|so?
        alles klar|gut|fit bei_dir?
        ich hoffe es|dir|ihnen|euch|,? geht? es|dir|ihnen|euch? gut
        na alles_klar|alles_gut|wie_gehts|du?
        frohes neues|neues_jahr jahr?
        willkommen zurück
    """,
    names="hermes assistent assistentin bot kumpel freund kollege chef alter digga leute team",
    polite="""
        bitte sehr|schön?
        freundlicherweise
        wenn es dir|ihnen keine_umstände_macht|nichts_ausmacht|recht_ist
        wenns|wenn|falls es? geht
        wenn|falls du|sie zeit_hast|zeit_haben|magst|mögen|so_nett_bist|so_nett_wären|so_freundlich_wären
        wenn möglich
        falls möglich
    """,
    closing="""
        danke|dankeschön|merci|thx dir|ihnen|euch|schön|sehr|schonmal|schon_mal|vielmals|im_voraus|vorab|lg?
        danke schon|schonmal mal? im_voraus|vorab?
        vielen|besten|herzlichen|tausend|lieben dank im_voraus|dafür|vorab|schon_mal|schonmal|euch|dir?
        lg|vg|mfg|gruß|grüße|gruss
        viele|liebe|beste|schöne|herzliche|freundliche grüße|grüsse
        mit freundlichen grüßen|grüssen
        ich|wir freue|freuen mich|uns auf|über ihre_antwort|deine_antwort|eine_rückmeldung
        hat|hast|habt jemand|du|ihr eine? idee|ideen|tipps|tipp|ahnung
        und|ich weiß|weiss nicht mehr? weiter
        was|wie tun|vorgehen
        was soll|kann|könnte|muss ich|man|wir jetzt|da|dagegen? tun|machen
        woran kann|könnte|mag das liegen
        woran liegt das
    """,
    fillers="""
        ähm|äh|ähm|öhm|hm|hmm|hmmm|naja|tja|okay|ok|übrigens|sag|sagt mal?
        eine|ne|kurze|kleine|schnelle|dumme|mal_eine|nur_eine kurze|kleine|schnelle|dumme|blöde? frage|bitte
        ich|wir hätte|hätten|habe|hab|haben da|mal|auch|noch|nur? mal|da|noch? eine|ne|'ne|einige|ein_paar kurze|
            kleine|dumme|schnelle|andere? frage|fragen|bitte|anliegen zu|an_dich|an_euch?
        kurze frage zu?
        ich|wir muss|müssen|wollte|wollten|möchte|möchten|will mal? kurz? was|etwas fragen
        darf|kann|dürfte ich dich|sie|euch? was|etwas|mal_was|kurz_was fragen
        sorry|entschuldigung|entschuldige|entschuldigen_sie|verzeihung|tschuldigung wenn_ich_störe|für_die_störung|
            die_störung|dass_ich_störe|nochmal?
        tut mir leid
        pass auf
        hör|hören zu
        um ehrlich zu_sein
        ehrlich gesagt
        ich brauche|bräuchte|brauch hilfe
        danke für deine|die|ihre hilfe|antwort
        bist|seid du|ihr da|wach|online
        ist|hier jemand da|hier
        test test
        und zwar
        ich|wir habe|hab|haben da|hier|grad? so|mal? ein|folgendes|das problem und_zwar
        ich hab|habe da so ein problem und? zwar?
        es geht um? folgendes
        folgendes problem|frage|situation|anliegen
        wie gesagt
        ich habe|hab mal? folgendes|folgende problem|frage|anliegen
    """,
    soft_fillers="""
        also|so|nun|jetzt|und|aber|ja|gut|gerade|eigentlich|einfach|mal|kurz|ach|na|genau|eventuell|vielleicht|
            nur
        zur zeit
        momentan|aktuell|derzeit|leider|zurzeit
        außerdem|ausserdem|zusätzlich|zunächst|zuerst
    """,
    frames="""
        kannst|könntest|koenntest|würdest|wuerdest|willst|magst|möchtest|moechtest|kannste du|jemand mir|uns|mich|dir|
            sich|für_mich|für_uns? mal|bitte|vielleicht|kurz|eventuell|evtl|evtl.|einmal|schnell|auch|eben|gerade|
            noch|einfach|doch? mal|bitte|kurz|eben|schnell? mir|uns|für_mich? bitte|mal|kurz? helfen|dabei_helfen|
            behilflich_sein|weiterhelfen? bei|mit|dabei|beim|und|zu?
        können|koennen|könnten|koennten|würden|wuerden|wollen|dürften|möchten sie|wir mir|uns|für_mich|für_uns? bitte|
            vielleicht|kurz|eventuell|mal|auch|eben|freundlicherweise|einmal? mir|uns|bitte|mal? helfen|dabei_helfen|
            behilflich_sein|weiterhelfen? bei|mit|dabei|beim|und|zu?
        könnt|koennt|würdet ihr mir|uns? bitte|vielleicht|kurz|mal? helfen|dabei_helfen? bei|mit|dabei|beim|und?
        kann|könnte|koennte mir|uns|hier? jemand|wer|einer mir|uns|bitte|vielleicht|mal|kurz? mal|bitte|kurz? helfen|
            weiterhelfen|sagen|erklären? bei|mit|dabei|beim|und?
        du|sie könntest|kannst|könnten|können|sollst|sollen mir|uns|bitte|mal? bitte|mal?
        wärst|wären|waeren du|sie so|bitte? nett|lieb|freundlich|gut und|mir?
        wäre|waere|ist es ihnen|dir|euch? möglich|moeglich dass_du|dass_sie? mir|uns?
        ich|wir hätte|haette|hätten|haetten|würde|wuerde|würden|wuerden|möchte|moechte|möchten|moechten|will|wollen|
            wollte|wollten|mag|muss|müssen|brauche|brauch|brauchen|bräuchte|brauchte|bräuchten|benötige|benoetige|
            benötigen|suche|suchen|soll|sollen|sollte|such gern|gerne|mal|auch|noch|bitte|dringend|eigentlich|nur|
            unbedingt|jetzt|einfach|mir|uns|heute|eben|gerade|von_dir|kurz? gern|gerne|mal|dringend|bitte|mir|noch|
            kurz|von_dir? wissen|fragen|erfahren|haben? hilfe? bei|mit|beim|zu? du_mir_helfen_kannst|
            sie_mir_helfen_können|du_mir? helfen_kannst|helfen_können?
        ich|wir wollte|wollten|möchte|möchten|würde dich|sie|euch|gern|gerne|nur|mal|kurz|einfach? mal|kurz|gern|
            gerne|bitten|nur? fragen|bitten|wissen|um|etwas? ob|um? du|sie|ihr? mir|uns? mal|bitte|vielleicht? helfen|
            dabei_helfen? kannst|könntest|können|könnten|könnt? mir|bei|mit?
        ich|wir wollte|möchte|würde gern|gerne? wissen|fragen|erfahren
        ich frage|fragte mich gerade?
        ich|wir bitte|bitten|ersuche|ersuchen dich|sie|euch|hiermit? hiermit|freundlich? um|darum?
        ich|wir bin|sind gerade|aktuell|noch|auch? auf der_suche|suche nach
        ich|wir suche|suchen|suchte|such gerade|noch|aktuell|dringend|schon_länger? nach?
        ich|wir interessiere|interessieren mich|uns für
        ich|wir versuche|versuchen|versuch gerade|aktuell|seit_gestern|seit_stunden|schon_länger? vergeblich?
        ich|wir habe|haben|hab vor
        ich|wir plane|planen gerade?
        brauche|brauch|bräuchte|benötige|suche dringend|mal|noch|deine|ihre|etwas|bitte|schnell|nur? hilfe? bei|mit|
            beim?
        suche nach
        suchen|brauchen|benötigen|bräuchten|möchten|wollen|suche|brauche ein|eine|einen
        hätte|haette gern|gerne
        möchte|will|würde gern|gerne|mal?
        hilf|helft|helfen|hilfst mir|uns|sie|sie_mir|du_mir bitte|mal|doch|dabei|kurz? bitte|mal|doch|dabei|kurz? bei|
            mit|dabei|beim|und?
        hilfe bei|mit|beim|zu|zum|zur
        unterstütze|unterstützen mich|uns|sie_mich bei|beim|dabei
        gib|gebt|geben|zeig|zeige|zeigt|nenn|nenne|sag|sage|verrat|liefer|liefere|schick|schicke mir|uns|sie_mir|
            sie_uns bitte|mal|doch|kurz? mal|bitte|kurz? ein|eine|einen|einige|ein_paar|nen|'nen|ne?
        erzähl|erzähle mir|uns bitte|mal? etwas|was|mehr? über|von
        erklär|erkläre|erklären mir|uns|sie_mir|sie_uns bitte|mal|doch|kurz|nochmal? mal|bitte|kurz?
        schreib|schreibe|mach|mache|erstell|erstelle|bau|baue|generier|generiere|bastel|bastle|entwirf|programmier|
            programmiere|kreiere|zeichne|formuliere|verfass|verfasse mir|uns bitte|mal|doch|kurz|schnell? mal|bitte|
            kurz|schnell? ein|eine|nen|ne|'ne|'nen
        gibt|gäbe|existiert es da|hier|denn|auch|irgendwo? eine|die|irgendeine|ne? möglichkeit|chance|weg|option dass|
            um|wie_ich|wie_man|mit_der|wodurch?
        besteht die möglichkeit
        ist es|sowas? möglich|moeglich|machbar dass?
        lass|lasst|lassen uns|sie_uns mal|bitte|zusammen|gemeinsam?
        wir sollten|müssen|wollen
        du sollst|musst|wirst
        deine|ihre aufgabe|job ist|lautet es?
        meine|die|unsere frage ist|wäre|lautet|war ob?
        weißt|weisst|wisst|wissen|kennst|kennt|kennen du|ihr|sie|jemand zufällig|vielleicht? ein|eine|einen?
        hast|habt|haben|hat|hättest|hätten du|ihr|sie|jemand vielleicht|mal|evtl|zufällig|für_mich|da|mir|einen_tipp?
            ein|eine|einen|ein_paar|'ne|nen?
        es geht|ginge um|darum
        gibts|gibt_es|gibt's|gäbe_es irgendwo|vielleicht|denn|da|hier|zufällig? ein|eine|einen|ne|'ne|nen
        heute|jetzt|diesmal|hier geht|ginge es um|darum
        mir|uns geht_es|geht's|gehts um
        es|das wäre|waere toll|super|nett|schön|klasse|gut|hilfreich wenn|dass du|sie|ihr mir?
        ich|wir würde|wuerde|wäre|würden|wären mich|uns|dankbar|froh|ihnen|dir|sehr? freuen|dankbar|verbunden? wenn|
            dass|für du|sie|ihr? mir?
        ich|wir benötige|brauche|brauchen|bräuchte deine|ihre|eure|mal|dringend|etwas? hilfe|unterstützung|rat|
            einen_rat bei|mit|zu|beim|zum|zur
        bitte um
        wie|was wäre|wär es_mit|mit
        ich will|möchte dass du
        was ich brauche ist
    """,
    asking="""
        ich|wir hätte|hätten|hätt gern|gerne gewusst|erfahren|verstanden
        sag|sage|sagt|erklär|erkläre|zeig|zeige|erläutere|beschreib|beschreibe|verrat|verrate mir|uns|sie_mir? bitte|
            mal|doch|kurz|genau? mal|kurz|bitte|genau?
        sagen|erklären|verraten|zeigen|beschreiben|erläutern sie? mir|uns? bitte|kurz|genau?
        weißt|weisst|wisst|wissen|hast|habt|haben du|ihr|sie|jemand zufällig|vielleicht|eigentlich? eine|ne|'ne?
            ahnung|idee|tipps?
        ich|wir verstehe|versteh|weiß|weiss|verstehen|wissen|kapiere|kapier einfach|leider|immer_noch? nicht|
            nicht_mehr|noch_nicht
        ich|wir frage|fragen mich|uns gerade|schon_länger?
        keine|hat_jemand_eine|irgendeine ahnung|idee
        mich|uns|mir würde? interessiert|interessieren
        herausfinden|verstehen|wissen|prüf|prüfe|check|finde_heraus|schau|guck mal|nach?
        finde|find heraus
        frage
        ich|wir will|möchte|wollen|möchten|würde gern|gerne? wissen|verstehen|erfahren|herausfinden
    """,
    openers="""
        ich|wir habe|hab|haben|bekomme|bekommen|kriege|krieg|kriegen|erhalte|erhalten|sehe|besitze|nutze|nutzen|
            verwende|verwenden|benutze|betreibe|betreiben seit|da|hier|aktuell|gerade|momentan|zuhause|mir|einfach|
            immer|ständig|dauernd|auch|noch|leider|folgende|folgenden|folgendes? gestern|heute|tagen|wochen|
            einer_woche|ein_paar_tagen|dem_update|einigen_tagen|kurzem|längerem|drei_tagen|zwei_tagen|immer|wieder?
            ein|eine|einen|das|die|den|diese|diesen|dieses|mehrere|zwei|drei?
        ich|wir habe|hab|haben ein|das
        mein|das|unser problem ist|wäre dass?
        hier|das|dies ist|sind|kommt|wäre ein|eine|der|die|das|mein|meine|unser|unsere|mal?
        es gibt|gab ein|eine|einen|da|leider?
        ich|wir bin|sind gerade? dabei
        bekomme|kriege|erhalte|habe|hab|sehe ein|eine|einen|folgende|folgenden|diesen|immer|ständig|seit_gestern|das?
            ein|eine|einen|folgende|den|die?
        ich|wir arbeite|arbeiten|baue|bauen|entwickle|entwickeln|schreibe|schreiben gerade|aktuell|momentan? an?
            einem|einer|ein|eine|einen|meinem|meiner|unserem|unserer?
        bei mir|uns|meinem_server
    """,
    telling="ich wir mein meine unser unsere hier es das dies seit gestern heute bei aktuell momentan derzeit wegen da "
    "leider am im in der_folgende anbei unten oben vor nach er sie ihr unserem meinem meiner",
    orders="fixe behebe repariere schreib schreibe erklär erkläre zeig zeige such suche finde find mach mache erstell "
    "erstelle übersetze übersetz fasse fass prüfe prüf check checke vergleiche berechne rechne analysiere analysier "
    "optimiere optimier ändere änder lösche lösch füge ersetze sortiere plane plan empfiehl nenne nenn liste gib "
    "sag sage hilf erinnere erinner stell stelle starte start stoppe installiere konfiguriere richte teste "
    "refaktoriere "
    "refaktorier verbessere verbesser kürze kürz formuliere generiere entwirf baue bau lies öffne schließe lade "
    "speichere sende schick schicke buche bestelle kündige entferne konvertiere wandle erzeuge verschiebe benenne "
    "lokalisiere recherchiere aktualisiere korrigiere korrigier kommentiere dokumentiere zeichne spiele migriere "
    "vereinfache räume ruf rufe setze schau bring notiere überprüfe kläre beschreibe skizziere wechsle was welche "
    "schlag nimm leg lass denk achte hol trag rate merk informiere sortier fertige verfasse bewerte simuliere "
    "implementiere programmiere",
    making="""
        schreib|schreibe|mach|mache|erstell|erstelle|bau|baue|generier|generiere|entwirf|programmier|programmiere|
            verfasse|formuliere|such|suche|finde|gib|zeig ein|eine|einen|mir_einen|uns_einen|mir_den?
        ich|wir kann|habe|hab|muss
    """,
    roles="""
        als ein|eine|erfahrener|erfahrene
        du|sie bist|sind ein|eine|mein|meine
        agiere|handle|antworte|verhalte_dich als|wie ein|eine
        stell dir vor du|dass
    """,
    small="""
        mir|uns|mal|bitte|doch|kurz|eben|einfach|schnell mir|uns|mal|bitte|doch|kurz|eben|schnell?
    """,
    questions="was wie warum wieso weshalb wann wo wohin woher wer wen wem wessen welche welcher welches welchen "
    "welchem "
    "wieviel wofür wozu womit worauf woran worin wodurch wovon kann können könnte darf soll sollte muss ist sind "
    "gibt hat lohnt "
    "hilft geht macht funktioniert",
    asides="""
        ist|wäre es normal|okay|ok|schlimm|erlaubt|sinnvoll|gefährlich|üblich
        wie|wo|womit kann|könnte|soll|sollte|muss|darf ich|man|wir|jemand am|denn|eigentlich|mir|uns? besten|denn|
            schnellsten|einfachsten?
        wie|wo ich|man|wir am_besten|mir?
        worin besteht|liegt der|die
        wie * ich|man|wir am_besten|denn|eigentlich?
        wie|was geht|mache|macht|mach ich|man|es|wir am|denn|eigentlich? besten?
        was ist|sind|war|wären der|die|das
        was muss|soll|sollte|kann|darf|müssen|sollten ich|man|wir alles? bei|beim|bei_der beachten|wissen|tun?
        was sollte|muss|kann ich|man|wir bei|beim|über|zu
        kann|darf|soll|sollte|muss|können|sollen ich|man|wir
        welche|welcher|welches
        worauf muss|soll|sollte ich|man|wir bei|beim
    """,
    blocks="dass",
    labels="frage aufgabe problem thema betreff aw wg fwd re todo bug fehler hinweis ziel kontext hintergrund info "
    "update auftrag anfrage wunsch ps titel hilfe idee",
    refers="es ihn dies sie dagegen dafür damit davon darauf daran darüber dazu",
    articles="der die das den dem des ein eine einen einem einer eines",
    agreeing="einen nen 'nen den einem einer dem",
    leading="ein eine",
    leading_before_capital="der die das den einen mein meine meinen unser unsere unseren meinem diesen",
    possessives="mein meine meinen meinem meiner meines dein deine deinen deinem deiner unser unsere unseren unserem "
    "unserer ihr ihre ihren ihrem ihrer sein seine seinen seinem seiner euer eure",
    skipped="so denn eigentlich mal doch einfach eben halt wohl bitte gerade",
    prepositions="in im ins an am ans auf aus bei beim bis durch für fuer gegen hinter mit nach neben ohne seit über "
    "ueber um unter vom vor während wegen zu zum zur ab außer ausser trotz statt anstatt per pro via inklusive laut "
    "innerhalb außerhalb gegenüber entlang samt mittels aufgrund bezüglich hinsichtlich",
    tight="von als wie",
    since="von vom aus",
    until="nach bis zu zum zur",
    pairing="zwischen sowohl vergleiche vergleich vergleichen",
    choosing="oder",
    joining="und oder sowie & bzw bzw. noch weder",
    clauses="weil wenn ob obwohl damit sodass während bevor nachdem sobald solange falls denn aber sondern jedoch "
    "doch deshalb deswegen trotzdem außerdem dann weshalb indem seitdem da",
    half="wenn",
    relatives="dass daß was wie wo wer welche welcher welches wobei wodurch warum wieso wann",
    subjects="ich du er wir man es jemand",
    pronouns="sie es",
    auxiliaries="ist sind war waren wird werden wurde wurden hat haben hatte hatten kann können könnte könnten soll "
    "sollen sollte muss müssen darf dürfen will wollen wollte möchte möchten würde würden bin bist habe hab hast "
    "mag lebt kommt",
    adverbs="sehr so auch nur noch schon immer kein keine keinen keinem keiner weniger ganz zu ziemlich "
    "eher etwa fast alle allen aller jede jeden jeder jedes viele vielen viel wenig einige mehrere andere anderen "
    "diese dieser diesen diesem dieses jene dies beide solche manche etwas jeweils irgendein irgendeine neue neuen "
    "neuer neues einfach gerade",
    loose="nicht mehr",
    speakers="ich wir",
    particles="mich mir dich dir sich uns euch ihm ihn ihnen sie hier da dort dann nun jetzt heute gestern morgen "
    "bitte danke hallo ja nein selbst gern gerne mal etwas nichts alles jemand niemand dazu dafür dabei davon darauf "
    "daran darüber dagegen hierfür hierzu damit los hin her wieder",
    generic="hilfe helfen hilft problem probleme fehler frage fragen code ding dinge sache sachen weg geht gehen "
    "funktioniert funktionieren klappt klappen machen mache macht mach tun tue lösen löse lösung beheben "
    "behebe fixen fixe idee ideen tipp tipps vorschlag vorschläge folgende folgenden folgendes folgender bedeutet "
    "bedeuten heißt passiert sagen sag sagt wissen weiß verstehe verstehen erklären erklär erkläre zeigen zeig gib "
    "geben schau schauen guck anschauen sehen log logs ausgabe text nachricht beispiel möglich möglichkeit kurz "
    "schnell dringend eilig prüfen versuche versuchen probieren läuft laufen starten anliegen bescheid info "
    "fehlermeldung meldung brauche brauch bräuchte benötige suche möchte bekomme kriege erhalte liegt liegen test "
    "stimmt falsch richtig gut besser leider hoffe antwort rückmeldung weiter weiterhelfen los kommt nett "
    "screenshot anhang anbei link freundlichen grüßen herr frau damen herren geehrte lieber liebe",
    trouble="rückenschmerzen kopfschmerzen bauchschmerzen zahnschmerzen halsschmerzen knieschmerzen fehler "
    "fehlschlägt fehlgeschlagen schlägt scheitert kaputt hängt stürzt absturz abgestürzt langsam "
    "geht funktioniert klappt startet reagiert antwortet erreichbar defekt tropft undicht schmerzen schmerzt tut weh "
    "fieber krank problem probleme error exception timeout abgelehnt verloren weg gelöscht gesperrt voll überfällig "
    "nicht kein keine fehlt fehlen falsch bricht ab bleibt stecken verschwunden leer verweigert fehlermeldung lädt",
    verb_last=True,
)
